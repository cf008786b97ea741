import { afterEach, beforeEach, describe } from 'vitest'
import { auditContract } from './catalog-contract/audit.ts'
import { changeContract } from './catalog-contract/changes.ts'
import { firstOfferContract } from './catalog-contract/first-offers.ts'
import { keyContract } from './catalog-contract/keys.ts'
import { pageContract } from './catalog-contract/pages.ts'
import { recordContract } from './catalog-contract/records.ts'
import { releaseContract } from './catalog-contract/releases.ts'
import { revisionContract } from './catalog-contract/revisions.ts'
import { sessionContract } from './catalog-contract/sessions.ts'
import { CatalogSubject, type CatalogUnderTest } from './catalog-contract/subject.ts'
import { transactionContract } from './catalog-contract/transactions.ts'
import { uniquenessContract } from './catalog-contract/uniqueness.ts'
import { watchContract } from './catalog-contract/watch.ts'

/** What any catalog store must do. */
export function catalogStoreContract(name: string, make: () => Promise<CatalogUnderTest>): void {
  describe(name, () => {
    const catalog = new CatalogSubject(make)
    beforeEach(() => catalog.begin())
    afterEach(() => catalog.end())

    recordContract(catalog)
    releaseContract(catalog)
    keyContract(catalog)
    auditContract(catalog)
    uniquenessContract(catalog)
    pageContract(catalog)
    revisionContract(catalog)
    transactionContract(catalog)
    changeContract(catalog)
    watchContract(catalog)
    firstOfferContract(catalog)
    sessionContract(catalog)
  })
}
