/**
 * The data of a call with a key was not stored. Nothing of the call is stored, unless it was already
 * being written: then all of it is stored later.
 */
export class NotStored extends Error {
  override readonly name = 'NotStored'
}
