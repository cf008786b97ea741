import { type Budget, damaged } from '../budget.ts'
import { readUpTo, type Source } from '../source.ts'

// <Security/CSCommon.h> and cs_blobs.h of XNU.
const SUPER_BLOB = 0xfade0cc0
const CODE_DIRECTORY = 0xfade0c02
const SLOT_CODE_DIRECTORY = 0
/** The first version with a team. */
const WITH_TEAM = 0x20200
const MAX_TEAM = 64

/** Returns the team that a code directory names; null if it names none. Throws `Unread`. */
export async function teamIn(signature: Source, budget: Budget): Promise<string | null> {
  const header = await signature.read(0, 12)
  if (header.readUInt32BE() !== SUPER_BLOB) throw damaged()
  const count = header.readUInt32BE(8)
  budget.spend('entries', count)
  const index = await signature.read(12, count * 8)
  for (let at = 0; at < index.length; at += 8) {
    if (index.readUInt32BE(at) === SLOT_CODE_DIRECTORY) {
      return teamOf(signature, index.readUInt32BE(at + 4))
    }
  }
  return null
}

async function teamOf(signature: Source, offset: number): Promise<string | null> {
  const directory = await signature.read(offset, 52)
  if (directory.readUInt32BE() !== CODE_DIRECTORY) throw damaged()
  if (directory.readUInt32BE(8) < WITH_TEAM) return null
  const team = directory.readUInt32BE(48)
  if (team === 0) return null
  const bytes = await readUpTo(signature, offset + team, MAX_TEAM)
  const end = bytes.indexOf(0)
  if (end < 1) throw damaged()
  return bytes.toString('latin1', 0, end)
}
