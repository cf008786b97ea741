import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long for their size, by which Vitest orders what it has not run before. */
const LONG =
  /\/(?:fuzz|simulation|sign-in-flood|own-node|leadership|catalog-store|stored-fleet|crash|restore|docs\/ci|operate|axe|axe-dialogs|file-backups|remote-servers-axe|shell-recovery|shell-start)\.(?:test|spec)\.ts$/

/** Starts long files first: one that starts last keeps a single worker busy while the others have ended. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = (file: TestSpecification) => Number(LONG.test(file.moduleId))
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || isLong(b) - isLong(a))
  }
}
