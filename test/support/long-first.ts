import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long for their size, by which Vitest orders what it has not run before. */
const LONG = new RegExp(
  `/(${[
    'axe|browser-first-run|browser-npm-package|browser-people|remote-servers|roles|settings|shell-recovery|shell-server',
    'bucket|catalog-store|check-telemetry|confirmed|crash|docs/ci|draft|electron-deltas|fuzz|leadership|live-hours|move/move',
    'operate|own-node|patches|prove|remote|restore|self-signed|settings-trial|floods|simulation|stored-fleet|supervisor|upgrade/upgrade',
  ].join('|')})\\.(?:test|spec)\\.ts$`,
)

/**
 * Starts long files first: one that starts last keeps a single worker busy while the others have ended. One project comes
 * after the other, because a worker belongs to one of them.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = (file: TestSpecification) => Number(LONG.test(file.moduleId))
    const sorted = await super.sort(files)
    return sorted.sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || isLong(b) - isLong(a),
    )
  }
}
