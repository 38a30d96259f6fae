/** One line for a person, on stderr. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends the command: `line` says what to do. */
export function stop(line) {
  say(line);
  process.exit(1);
}
