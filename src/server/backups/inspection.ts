import { basename } from 'node:path'
import type { Inspection } from '../../shared/console/settings/backups.ts'
import type { CopyComparison } from '../storage/interface/backups.ts'
import { storageProblem } from '../storage/open-storage.ts'
import { readName } from './names.ts'

type Compared = Extract<Inspection, { ok: true }>

/**
 * Returns what restoring a backup would do, or why it cannot be restored. The name of a backup says when it was made;
 * for any other file that is when it was written last. Never rejects.
 */
export async function inspectionOf(
  file: string,
  compare: () => Promise<CopyComparison & Pick<Compared, 'files'>>,
): Promise<Inspection> {
  try {
    const { copy, ...consequences } = await compare()
    const { changedAt, ...rest } = copy
    const at = readName(basename(copy.file))?.at ?? changedAt
    const madeAt = new Date(at).toISOString()
    return { ok: true, copy: { ...rest, madeAt }, ...consequences }
  } catch (error) {
    return { ok: false, problem: storageProblem(error, file) }
  }
}
