import { type BlockMapTask, makeBlockMap } from '../block-maps/make-block-map.ts'
import { makePatch, type PatchTask } from '../patches/make-patch.ts'

/** What is made of stored files. */
export type MakingTask = BlockMapTask | PatchTask

/** Why something could not be made; null if it was. */
export interface MakingAnswer {
  readonly failure: string | null
}

/** Makes a block map or a patch and writes it so that after a crash all of it is there, or nothing. Never throws. */
export async function make(task: MakingTask, signal: AbortSignal): Promise<MakingAnswer> {
  try {
    await (task.makes === 'patch' ? makePatch(task, signal) : makeBlockMap(task, signal))
    return { failure: null }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
