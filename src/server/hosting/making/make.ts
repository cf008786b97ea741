import { messageOf } from '../../../shared/basics/message-of.ts'
import { type ComparisonTask, changedBytes } from '../block-maps/compare.ts'
import { type BlockMapTask, makeBlockMap } from '../block-maps/make-block-map.ts'
import { makePatch, type PatchTask } from '../patches/make-patch.ts'

/** What is made of stored files, or of their block maps. */
export type MakingTask = BlockMapTask | PatchTask | ComparisonTask

export interface MakingAnswer {
  /** Why it could not be made; null if it was. */
  readonly failure: string | null
  /** Names of the uploaded block maps that are not of their file. */
  readonly refused: readonly string[]
  /** Of a comparison: bytes of the blocks that only the next file has. */
  readonly changed?: number
}

/** Makes and durably writes a block map or a patch, all or nothing; or compares two block maps. Never throws. */
export async function make(task: MakingTask, signal: AbortSignal): Promise<MakingAnswer> {
  const refused: string[] = []
  try {
    if (task.makes === 'comparison') {
      return { failure: null, refused, changed: await changedBytes(task, signal) }
    }
    await (task.makes === 'patch' ? makePatch(task, signal) : makeBlockMap(task, signal, refused))
    return { failure: null, refused }
  } catch (error) {
    return { failure: messageOf(error), refused }
  }
}
