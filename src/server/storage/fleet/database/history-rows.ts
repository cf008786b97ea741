/** A check-in as the log has it. */
export interface ReadCheckIn {
  readonly id: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly profile: number
  /** See `readKind`. */
  readonly kind: number
  /** The device's check-in before; 0 for none. Its row may be gone. */
  readonly previous: number
}

/** Since when a device has had a profile. */
export interface ReadProfileChange {
  readonly id: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly profile: number
  readonly previous: number
}
