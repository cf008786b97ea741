import { expect, onTestFinished, test, vi } from 'vitest'
import { Catalog } from '../../src/server/catalog/catalog.ts'
import { findKey, mintKey } from '../../src/server/catalog/keys.ts'
import { printNodes } from '../../src/server/cli/status/node-table.ts'
import { People } from '../../src/server/people/people.ts'
import { attachStorage } from '../../src/server/storage/open-storage.ts'
import { ACTOR } from '../support/builders/actor.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { FAST_PASSWORDS } from '../support/builders/passwords.ts'
import { ROOT, setUp, signIn } from '../support/builders/people.ts'
import { PageCode } from '../support/docs/page.ts'
import { freshDatabase, inPostgres } from '../support/postgres/shared-cluster.ts'
import { needs } from '../support/tools.ts'

const code = new PageCode('docs/postgresql.md')
const listed = code.takeOne('List the nodes', '')
const lock = code.takeOne('Restore', 'sql')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the list of the nodes is as the commands print it', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const nodes = [
    ...[{ name: 'web-1', address: 'http://10.0.0.11:8440', lease: 'ok', changesBehind: 0 }],
    ...[{ name: 'web-2', address: 'http://10.0.0.12:8440', lease: 'ended', changesBehind: 3 }],
  ] as const
  printNodes(nodes.map((node) => ({ ...node, version: '1.4.0' })))
  const printed = write.mock.calls.map(([text]) => text).join('')
  write.mockRestore()
  expect(printed.trim()).toBe(listed)
})

test(
  'the statements after a restore lock people and keys until they are enabled',
  needs('postgresql'),
  async () => {
    const url = await freshDatabase({ prepared: true })
    const opened = async () => {
      const storage = await attachStorage({ dataFolder: temporaryFolder(), database: url })
      const parts = { ...FAST_PASSWORDS, appRef: () => undefined }
      const people = await People.open(storage.people, parts)
      onTestFinished(async () => {
        await people.stop()
        await storage.close()
      })
      return { people, catalog: await Catalog.open(storage.catalog) }
    }
    const { people, catalog } = await opened()
    const { token, session } = await setUp(people)
    const { secret } = await mintKey(catalog, ACTOR, { name: 'ci' })
    await inPostgres(url, async (client) => void (await client.query(lock)))
    const restored = await opened()
    expect(findKey(await restored.catalog.refresh(), secret)).toBeUndefined()
    expect(restored.people.find(token)).toBeUndefined()
    const failing = signIn(restored.people, 'mia')
    await expect(failing).rejects.toMatchObject({ facts: { code: 'sign_in_failed' } })
    await restored.people.setDisabled(ROOT, session.account.id, false)
    await signIn(restored.people, 'mia')
  },
)
