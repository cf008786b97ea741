import type { Interval } from '../../../shared/health/always-valid.ts'

/** Quantile of the normal distribution: how many standard deviations an interval of 95% confidence reaches. */
export const Z95 = 1.959964

/**
 * Returns the Wilson score interval of a share of `count` in `sample`, at the confidence that `z` stands for; from 0 to 1
 * for an empty sample. Follows E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
 */
export function wilsonInterval(count: number, sample: number, z: number): Interval {
  if (sample <= 0) return { low: 0, high: 1 }
  const share = count / sample
  const square = z * z
  const center = share + square / (2 * sample)
  const spread = z * Math.sqrt((share * (1 - share)) / sample + square / (4 * sample * sample))
  const scale = 1 + square / sample
  return {
    low: Math.max(0, (center - spread) / scale),
    high: Math.min(1, (center + spread) / scale),
  }
}
