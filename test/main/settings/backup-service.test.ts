import { beforeEach, expect, test } from 'vitest'
import { BackupService } from '../../../src/main/settings/backup-service.ts'
import { ChosenPaths } from '../../../src/main/settings/paths.ts'
import { PortServer } from '../../../src/shared/console/bridge/port-server.ts'
import type { RestoreOutcome } from '../../../src/shared/console/settings/backups.ts'
import { MessageChannelMain } from '../../electron-double/message-port.ts'

const LISTED = '/data/backups/listed.db'
const status = {
  available: true,
  everyHours: 24,
  keep: 7,
  folder: '/data/backups',
  running: false,
  lastSuccessAt: null,
  lastFailure: null,
  folderProblem: null,
  files: null,
  copies: [
    {
      name: 'listed.db',
      file: LISTED,
      madeAt: new Date(0).toISOString(),
      bytes: 1,
      schema: 1,
      own: true,
      checkedAt: new Date(0).toISOString(),
      problem: null,
    },
  ],
}
const refused = { ok: false, problem: { code: 'not_chosen' } }
const RESTORED: RestoreOutcome = {
  ok: true,
  aside: null,
  offered: 0,
  lacking: { count: 0, newest: [] },
  carriedOver: { rolledBack: 0, servingKept: 0, keysRevoked: 0 },
  access: { people: [], keys: [] },
  lost: { count: 0, newest: [] },
}

const INSPECTED = { ok: false, problem: { code: 'reading_ended' } } as const

let isUp: boolean
let read: string[]
let chosen: ChosenPaths
let desk: BackupService

beforeEach(() => {
  isUp = true
  read = []
  chosen = new ChosenPaths()
  const supervisor = {
    async connect() {
      if (!isUp) return undefined
      const { port1, port2 } = new MessageChannelMain()
      new PortServer(port2, {
        run: async ({ path }) => (path === 'backups.status' ? status : undefined),
        toError: () => ({ code: 'internal', reason: 'server_error' }),
      })
      return port1
    },
    async inspect(file: string) {
      read.push(file)
      return INSPECTED
    },
    async restore(file: string) {
      read.push(file)
      return RESTORED
    },
  }
  desk = new BackupService(supervisor, chosen)
})

test('a file that the page made up is not looked at', async () => {
  for (const file of ['/etc/shadow', '//server/share/a.db', `${LISTED}/../../secret.db`]) {
    expect(await desk.inspect(file)).toEqual(refused)
    expect(await desk.restore(file)).toEqual(refused)
  }
  chosen.add('certificate', '/etc/shadow')
  expect(await desk.inspect('/etc/shadow')).toEqual(refused)
  expect(read).toEqual([])
})

test('a file that was chosen in the dialog is, whether or not the server runs', async () => {
  chosen.add('backup', '/elsewhere/a.db')
  isUp = false
  await desk.inspect('/elsewhere/a.db')
  expect(await desk.restore('/elsewhere/a.db')).toEqual(RESTORED)
  expect(read).toEqual(['/elsewhere/a.db', '/elsewhere/a.db'])
})

test('a file of the list is, also when the server ends before that is confirmed', async () => {
  await desk.inspect(LISTED)
  isUp = false
  expect(await desk.restore(LISTED)).toEqual(RESTORED)
  expect(read).toEqual([LISTED, LISTED])
  expect(await desk.restore('/data/backups/other.db')).toEqual(refused)
})
