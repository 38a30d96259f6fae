// Stands in for an executor: owns a tool host, keeps its lease alive, starts calls, says what became of them.
// argv: one JSON record {modules, slots, processSocket, hostSocket, renewMs, ttlMs, calls: [{tool, args, deadlineMs}]}
const { createServer } = require('node:net');
const { startToolHost } = require('../dist');

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const log = { info: () => {}, warn: () => {}, error: (event, fields) => say({ event, fields }) };

async function main() {
  const { modules, slots, processSocket, hostSocket, renewMs, ttlMs, calls } = JSON.parse(process.argv[2]);
  await new Promise((resolve) => createServer((socket) => socket.destroy()).listen(processSocket, resolve));
  const started = await startToolHost({ modules, slots, socketPath: hostSocket, env: process.env, log });
  if (!started.ok) return say({ problems: started.problems });
  const { host } = started;
  host.onDied(() => say({ died: true }));
  const renew = () => host.extend(Number(process.hrtime.bigint() / 1000n) / 1000 + ttlMs);
  renew();
  setInterval(renew, renewMs);
  say({ hostPid: host.pid });
  calls.forEach(({ tool, args, deadlineMs }, index) => {
    const request = {
      callId: `call-${index}`,
      tool,
      args,
      idempotencyKey: `key-${index}`,
      epoch: 1,
      deadlineMs,
    };
    void host.run(request).result.then((result) => say({ call: index, result }));
  });
}

void main();
