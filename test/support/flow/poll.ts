// Waiting for something to become true, without fixed sleeps.

export const eventually = async <T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  mostMs = 60_000,
): Promise<T> => {
  const endMs = performance.now() + mostMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > endMs) throw new Error(`Never came true: ${what}`);
    await new Promise((next) => setTimeout(next, 15));
  }
};
