/**
 * What a call with a key asked to store is not stored. Of the call nothing is, unless it was already
 * on its way: then it is stored later as a whole.
 */
export class NotStored extends Error {
  override readonly name = 'NotStored'
}
