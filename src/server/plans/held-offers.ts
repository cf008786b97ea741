const HOUR = 3_600_000
/** Hours in which the rest of a step is offered while its release is suspected without an end. */
const PACE = 7 * 24

/**
 * Returns the percentage that a suspected release is offered to within its step (0 to 100): nobody new at first, and the rest of
 * the step a little at a time, because a fleet without new devices would never tell. Null once all of the step is offered.
 * `from` and `to`: the percentages of the step before and of this one. Times are Unix time in milliseconds.
 */
export function heldOffers(
  from: number,
  to: number,
  suspectedSince: number,
  now: number,
): number | null {
  const hours = Math.max(0, Math.floor((now - suspectedSince) / HOUR))
  return hours >= PACE ? null : from + ((to - from) * hours) / PACE
}
