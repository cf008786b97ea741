/**
 * - `behind`: too many check-ins are waiting to be stored
 * - `channel_removed`: the channel is being removed
 * - `too_many_profiles`: there is no room for another version or platform
 * - `unwritable`: the database cannot be written right now; see the cause
 */
export type NotStoredReason = 'behind' | 'channel_removed' | 'too_many_profiles' | 'unwritable'

/**
 * The data of a call with a key was not stored. Nothing of the call is stored, unless it was already
 * being written: then all of it is stored later.
 */
export class NotStored extends Error {
  override readonly name = 'NotStored'
  readonly reason: NotStoredReason

  constructor(reason: NotStoredReason, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}
