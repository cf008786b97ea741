/** The interval that a share (0 to 1) lies in. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * Chance (0 to 1) with which a bound is ever wrong, however often one looks: 2.5% for either side, so an interval is one of
 * 95% confidence.
 */
export const ERROR = 0.025
/** Evidence from which a share is excluded: by Ville's inequality, chance reaches it with probability `ERROR` at most. */
export const EXCLUDED = 1 / ERROR
/** Evidence from which what was seen is more likely above the share than at it. */
export const SUSPECTED = 1

/**
 * Odds of a failure, as multiples of those of the share that is tested. To exclude 3%, these three bets need at most 1.4 times the
 * devices that the best single one needs where 5 to 20% fail, and 1.6 times where 30% do.
 */
const ABOVE = [1.7, 3.3, 8]
/** The same for shares below: the first is that nothing fails. */
const BELOW = [0, 0.3]

/** Steps in which a bound is searched: to less than a thousandth of a percent. */
const BISECTIONS = 20

/**
 * Returns the evidence that more than `share` (0 to 1) of all devices fail, after `failed` of `judged` did; neither needs to be
 * whole. It is an e-value at every look at once: if at most `share` fail, the chance that it ever reaches 1/a is at most a.
 *
 * It is the wealth of bets against the share, a mixture of likelihood ratios as in H. Robbins, "Statistical Methods Related to
 * the Law of the Iterated Logarithm" (1970). S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric,
 * nonasymptotic confidence sequences" (2021), and I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by
 * betting" (2024), show that the shares it does not exclude are a confidence sequence.
 */
export function evidenceAbove(failed: number, judged: number, share: number): number {
  return wealth(ABOVE, failed, judged, share)
}

/** Returns the evidence that fewer than `share` of all devices fail; see `evidenceAbove`. */
export function evidenceBelow(failed: number, judged: number, share: number): number {
  return wealth(BELOW, failed, judged, share)
}

/** Returns the shares (0 to 1) that are not excluded after `failed` of `judged` devices, at this look and all others together. */
export function validInterval(failed: number, judged: number): Interval {
  if (judged <= 0) return { low: 0, high: 1 }
  const share = Math.min(1, failed / judged)
  return {
    low: bound(0, share, (at) => evidenceAbove(failed, judged, at) >= EXCLUDED),
    high: bound(1, share, (at) => evidenceBelow(failed, judged, at) >= EXCLUDED),
  }
}

/**
 * Returns how many devices it takes to exclude that `share` (0 to 1) or more of them fail, if a third of that does; infinitely
 * many for none. With fewer, chance decides which release can show it.
 */
export function devicesToExclude(share: number): number {
  if (share <= 0) return Number.POSITIVE_INFINITY
  const isExcluded = (devices: number) =>
    evidenceBelow((devices * share) / 3, devices, share) >= EXCLUDED
  let [few, enough] = [0, 1]
  while (!isExcluded(enough)) [few, enough] = [enough, 2 * enough]
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2)
    if (isExcluded(middle)) enough = middle
    else few = middle
  }
  return enough
}

/** The mean of one bet's wealth each, in logarithms because powers of many devices are large. */
function wealth(odds: readonly number[], failed: number, judged: number, share: number): number {
  const sum = odds.reduce((total, ratio) => {
    // A bet that nothing fails has lost all.
    if (ratio === 0 && failed > 0) return total
    const won = failed === 0 ? 0 : failed * Math.log(ratio)
    return total + Math.exp(won - judged * Math.log1p(share * (ratio - 1)))
  }, 0)
  return sum / odds.length
}

/** Returns the end of the excluded shares between `from`, which is the outermost, and `to`; `from` if it is not excluded. */
function bound(from: number, to: number, isExcluded: (share: number) => boolean): number {
  let [excluded, kept] = [from, to]
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (excluded + kept) / 2
    if (isExcluded(middle)) excluded = middle
    else kept = middle
  }
  return isExcluded(excluded) ? excluded : from
}
