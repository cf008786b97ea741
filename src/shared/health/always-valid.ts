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

/** The same for large samples, of which a share is to be known more closely: sessions are many. */
const FAR_BELOW = [...BELOW, 0.6, 0.8, 0.9, 0.95]

/** Steps in which a bound is searched: to less than a thousandth of a percent. */
const BISECTIONS = 20
/**
 * What is not spent on a bet beside a control, so that shares which one of the two excludes stay excluded: of the release, and of the
 * control, whose evidence is below 1 at what was seen.
 */
const UNSPENT = 0.1
const UNSPENT_BESIDE = 0.5

/** How much more small shares of a control weigh in the mixture, a beta distribution with 1 and this: 1 would weigh all alike. */
const SMALL = 10

/** Steps in which the least evidence is searched, which leave a third of what is left each. */
const THIRDS = 30

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

/** Shares (0 to 1) of which a release may fail on the larger one: its own, or `part` times that of a control; and `more` than that. */
export interface Allowed {
  readonly own: number
  readonly part: number
  readonly more: number
}

/**
 * Returns the evidence that more devices fail than are allowed beside a control, of which `control.failed` of `control.judged` fail at
 * the same time, after `failed` of `judged` did.
 *
 * For each share of the control, the evidence against it and that against the release multiply to an e-value, because the devices
 * are others. The least of all these is one whatever the true share is.
 */
export function evidenceBeside(
  failed: number,
  judged: number,
  control: { readonly failed: number; readonly judged: number },
  { own, part, more }: Allowed,
): number {
  // Logarithms, because either can be larger than any number.
  const evidence = (share: number) => {
    const allowed = Math.min(1, more + Math.max(own, part * share))
    return (
      kept(logWealth(ABOVE, failed, judged, allowed), UNSPENT) +
      kept(logOthers(control.failed, control.judged, share), UNSPENT_BESIDE)
    )
  }
  const seen = control.judged === 0 ? 1 : control.failed / control.judged
  // What it is at the own share is least at what was seen. From where the control allows more, it is convex.
  let [low, high] = [Math.min(1 - Number.EPSILON, Math.max(seen, own / part)), 1 - Number.EPSILON]
  for (let step = 0; step < THIRDS; step += 1) {
    const [one, other] = [low + (high - low) / 3, high - (high - low) / 3]
    if (evidence(one) > evidence(other)) low = one
    else high = other
  }
  return Math.exp(Math.min(evidence(Math.min(seen, high)), evidence(low), evidence(high)))
}

/** The logarithm of evidence for which only a part is put on other shares: it is never less than what is `unspent` (0 to 1). */
function kept(evidence: number, unspent: number): number {
  const [put, left] = [Math.log1p(-unspent) + evidence, Math.log(unspent)]
  return Math.max(put, left) + Math.log1p(Math.exp(-Math.abs(put - left)))
}

/** The logarithm of the evidence that a share is not `share`, after `failed` of `judged`, as a mixture of all others. */
function logOthers(failed: number, judged: number, share: number): number {
  const sound = judged - failed
  const likelihood =
    (failed > 0 ? failed * Math.log(share) : 0) + (sound > 0 ? sound * Math.log1p(-share) : 0)
  const mixture =
    logFactorial(failed) + logFactorial(sound + SMALL - 1) - logFactorial(judged + SMALL)
  return Math.log(SMALL) + mixture - likelihood
}

/** Returns the logarithm of the factorial of a number that need not be whole: Stirling's series, exact to a billionth from 8 on. */
export function logFactorial(count: number): number {
  let [above, product] = [count, 1]
  while (above < 8) {
    above += 1
    product *= above
  }
  const series = 1 / (12 * above) - 1 / (360 * above ** 3) + 1 / (1260 * above ** 5)
  const logarithm = (above + 0.5) * Math.log(above) - above + 0.5 * Math.log(2 * Math.PI) + series
  return logarithm - Math.log(product)
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

/** Returns the largest share that is not excluded, as the upper bound of `validInterval`, but closer where the sample is large. */
export function validHigh(failed: number, judged: number): number {
  if (judged <= 0) return 1
  const isExcluded = (share: number) => wealth(FAR_BELOW, failed, judged, share) >= EXCLUDED
  return bound(1, Math.min(1, failed / judged), isExcluded)
}

/**
 * Returns how many devices it takes to exclude that `share` (0 to 1) or more of them fail, if `failing` do, a third of that unless
 * it is given; infinitely many if as many do, or for a share of none. With fewer, chance decides which release can show it.
 */
export function devicesToExclude(share: number, failing = share / 3): number {
  if (share <= 0 || failing >= share) return Number.POSITIVE_INFINITY
  const isExcluded = (devices: number) =>
    evidenceBelow(devices * failing, devices, share) >= EXCLUDED
  let [few, enough] = [0, 1]
  while (!isExcluded(enough)) [few, enough] = [enough, 2 * enough]
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2)
    if (isExcluded(middle)) enough = middle
    else few = middle
  }
  return enough
}

function wealth(odds: readonly number[], failed: number, judged: number, share: number): number {
  return Math.exp(logWealth(odds, failed, judged, share))
}

/** The logarithm of the mean of one bet's wealth each. */
function logWealth(odds: readonly number[], failed: number, judged: number, share: number): number {
  // A bet that nothing fails has lost all.
  const left = failed === 0 ? odds : odds.filter((ratio) => ratio > 0)
  const each = left.map((ratio) => {
    const won = failed === 0 ? 0 : failed * Math.log(ratio)
    return won - judged * Math.log1p(share * (ratio - 1))
  })
  const most = Math.max(...each)
  if (!Number.isFinite(most)) return most
  return most + Math.log(each.reduce((sum, one) => sum + Math.exp(one - most), 0) / odds.length)
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
