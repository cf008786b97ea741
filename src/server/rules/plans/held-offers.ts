const HOUR = 3_600_000
/** Hours for which a suspected release is offered to nobody new: most of what is in flight is known by then. */
const STILL = 3 * 24
/** Hours after that in which the rest of the step is offered. */
const PACE = 7 * 24

/**
 * Returns the percentage that a suspected release is offered to within its step (0 to 100): nobody new for three days, and then
 * a little more every hour, because a fleet without new devices would never tell. Null once all of the step is offered.
 * `from` and `to`: the percentages of the step before and of this one. Times are Unix time in milliseconds.
 */
export function heldOffers(
  from: number,
  to: number,
  suspectedSince: number,
  now: number,
): number | null {
  const hours = Math.max(0, Math.floor((now - suspectedSince) / HOUR) - STILL)
  return hours >= PACE ? null : from + ((to - from) * hours) / PACE
}
