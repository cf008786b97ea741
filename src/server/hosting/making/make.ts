import { messageOf } from '../../../shared/basics/message-of.ts'
import { type BlockMapTask, makeBlockMap } from '../block-maps/make-block-map.ts'
import { makePatch, type PatchTask } from '../patches/make-patch.ts'

/** What is made of stored files. */
export type MakingTask = BlockMapTask | PatchTask

export interface MakingAnswer {
  /** Why it could not be made; null if it was. */
  readonly failure: string | null
  /** Names of the uploaded block maps that are not of their file. */
  readonly refused: readonly string[]
}

/** Makes a block map or a patch and writes it so that after a crash all of it is there, or nothing. Never throws. */
export async function make(task: MakingTask, signal: AbortSignal): Promise<MakingAnswer> {
  const refused: string[] = []
  try {
    await (task.makes === 'patch' ? makePatch(task, signal) : makeBlockMap(task, signal, refused))
    return { failure: null, refused }
  } catch (error) {
    return { failure: messageOf(error), refused }
  }
}
