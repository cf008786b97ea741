// @module-tag postgresql

import { expect, onTestFinished, test } from 'vitest'
import { PostgresDatabase } from '../../../../src/server/storage/postgres/connection/database.ts'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { preparedFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'

/** Tables of the catalog, of people and of the outbox: what both engines read and write with the same columns. */
const TABLES = [
  ...['catalog_state', 'apps', 'channels', 'releases', 'artifacts', 'api_keys', 'audit'],
  ...['change_requests', 'drafts', 'proofs', 'plans', 'erasures'],
  ...['release_sessions', 'session_devices'],
  ...['people_state', 'accounts', 'account_app_roles', 'sessions', 'account_links', 'passkeys'],
  ...['totp_secrets', 'recovery_codes', 'account_identities'],
  ...['outbox_state', 'webhooks', 'deliveries'],
]

test('the engines have the same columns', async () => {
  const sqlite = openDatabase(dataFile(preparedFolder()))
  const postgres = new PostgresDatabase(await freshDatabase({ prepared: true }))
  onTestFinished(async () => {
    sqlite.close()
    await postgres.close()
  })
  const columns = sqlite.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck()
  // What makes a row the only one of its table is named differently.
  const isShared = (name: string) => name !== 'one' && name !== 'only'
  for (const table of TABLES) {
    const rows = await postgres.rows<{ name: string }>(
      `SELECT column_name::text AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`,
      [table],
    )
    const found = rows
      .map(({ name }) => name)
      .filter(isShared)
      .sort()
    expect([table, ...found]).toEqual([table, ...columns.all(table).filter(isShared).sort()])
  }
})
