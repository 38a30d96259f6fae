/** What an unknown error says of itself. By shape: an error of another realm is no `instanceof Error`. */
export function codeOf(error: unknown): string | undefined {
  const has = typeof error === 'object' && error !== null && 'code' in error;
  return has && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  const has = typeof error === 'object' && error !== null && 'message' in error;
  return has && typeof error.message === 'string' ? error.message : String(error);
}
