const others = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')

/** The time zones of the calendar, to choose from. */
export const TIME_ZONES = ['UTC', ...others].map((zone) => ({ value: zone, label: zone }))

/** Returns the time zone of this computer. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
