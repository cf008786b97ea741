import type { CompiledRelease } from './channel.ts'

const remembered = new WeakMap<CompiledRelease, Buffer>()

/**
 * Returns the notes of a release as JSON in UTF-8, serialized once per release. All responses share
 * these bytes, so that memory grows with the notes and not with the responses.
 */
export function serialiseNotes(release: CompiledRelease): Buffer {
  const known = remembered.get(release)
  if (known !== undefined) return known
  const bytes = Buffer.from(JSON.stringify(release.facts.notes))
  remembered.set(release, bytes)
  return bytes
}

/**
 * Returns `{ ...before, notes, ...after }` of a release as JSON in UTF-8, to be sent in order: the
 * notes are the shared bytes. Neither object is empty.
 */
export function serialiseWithNotes(
  release: CompiledRelease,
  before: object,
  after: object,
): readonly [Buffer, Buffer, Buffer] {
  const head = Buffer.from(`${JSON.stringify(before).slice(0, -1)},"notes":`)
  const tail = Buffer.from(`,${JSON.stringify(after).slice(1)}`)
  return [head, serialiseNotes(release), tail]
}
