import { afterEach, beforeEach, describe } from 'vitest'
import { batchContract } from './contract/batches.ts'
import { counterContract } from './contract/counters.ts'
import { deviceContract } from './contract/devices.ts'
import { historyContract } from './contract/history.ts'
import { retentionContract } from './contract/retention.ts'
import { FleetSubject, type FleetUnderTest } from './contract/subject.ts'

/** What the fleet's database must do. */
export function fleetDatabaseContract(name: string, make: () => Promise<FleetUnderTest>): void {
  describe(name, () => {
    const fleet = new FleetSubject()
    beforeEach(async () => fleet.begin(await make()))
    afterEach(() => fleet.keys.close())

    batchContract(fleet)
    deviceContract(fleet)
    counterContract(fleet)
    historyContract(fleet)
    retentionContract(fleet)
  })
}
