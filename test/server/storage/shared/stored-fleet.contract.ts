import { beforeEach, describe } from 'vitest'
import { chartContract } from './stored-fleet/charts.ts'
import { checkInContract } from './stored-fleet/check-ins.ts'
import { commitContract } from './stored-fleet/commits.ts'
import { counterContract } from './stored-fleet/counters.ts'
import { healthContract } from './stored-fleet/health.ts'
import { listContract } from './stored-fleet/lists.ts'
import { removalContract } from './stored-fleet/removal.ts'
import { FleetSubject, type FleetUnderTest } from './stored-fleet/subject.ts'
import { upkeepContract } from './stored-fleet/upkeep.ts'

/** What the fleet of any engine must do. `make`: a fleet that is closed after the test. */
export function storedFleetContract(name: string, make: () => Promise<FleetUnderTest>): void {
  describe(name, () => {
    const subject = new FleetSubject()
    beforeEach(async () => subject.begin(await make()))

    checkInContract(subject)
    commitContract(subject)
    listContract(subject)
    counterContract(subject)
    chartContract(subject)
    upkeepContract(subject)
    removalContract(subject)
    healthContract(subject)
  })
}
