import { afterEach, beforeEach, describe } from 'vitest'
import { batchContract } from './fleet-contract/batches.ts'
import { counterContract } from './fleet-contract/counters.ts'
import { deviceContract } from './fleet-contract/devices.ts'
import { historyContract } from './fleet-contract/history.ts'
import { retentionContract } from './fleet-contract/retention.ts'
import { FleetSubject, type FleetUnderTest } from './fleet-contract/subject.ts'

/** What any fleet store must do. */
export function fleetStoreContract(name: string, make: () => Promise<FleetUnderTest>): void {
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
