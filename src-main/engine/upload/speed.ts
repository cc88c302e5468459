// The speed of the connection, observed over the last uploads. It is used for "done at about".

/** Newer uploads count more. About the last ten decide. */
const weight = 0.1;
/** Smaller files measure the round trip and not the speed. */
const leastBytes = 100_000;

export const createSpeed = () => {
  let observed: number | null = null;
  return {
    /** One upload: its bytes, the time it took, and how many went at once. */
    sent(sizeBytes: number, tookMs: number, atOnce: number): void {
      if (sizeBytes < leastBytes || tookMs <= 0) return;
      const rate = (1000 * sizeBytes * Math.max(1, atOnce)) / tookMs;
      observed = observed === null ? rate : observed + weight * (rate - observed);
    },
    bytesPerSecond: (): number | null => observed,
  };
};
