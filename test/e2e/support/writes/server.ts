import { createHash } from 'node:crypto'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import type { World } from './world.ts'
import type { Writes } from './write.ts'

const settings = () => '#/settings'

/** Begins to upload a file whose content is its name. */
async function begin({ running, name }: World): Promise<{ id: string; content: Buffer }> {
  const file = `${name()}.bin`
  const content = Buffer.from(file)
  const sha512 = createHash('sha512').update(content).digest('hex')
  const upload = { name: file, size: content.length, sha512 }
  const { id } = await running.updates.beginUpload(PRINCIPAL, upload)
  return { id, content }
}

/** Backups and stored files. */
export const SERVER: Writes = {
  'backups.now': {
    at: settings,
    menu: 'Back up now',
    isOnScreen: true,
    send: 'Database only',
    done: 'Backup created and verified',
    audited: 0,
  },
  'backups.nowWithFiles': {
    at: settings,
    menu: 'Back up now',
    isOnScreen: true,
    send: 'Database and stored files',
    done: 'Backup of the database and stored files created and verified',
    audited: 0,
  },
  'files.removeUpload': {
    async at(world) {
      await begin(world)
      return '#/settings'
    },
    open: ({ main }) => main.getByRole('button', { name: /^Delete upload of/ }).click(),
    send: 'Delete',
    done: /^Upload of n\d+\.bin deleted$/,
    audited: 0,
  },
  'files.remove': {
    async at(world) {
      const { id, content } = await begin(world)
      const pieces = (async function* () {
        yield content
      })()
      await world.running.updates.appendPiece(PRINCIPAL, { id, offset: 0 }, pieces)
      return '#/settings'
    },
    open: ({ main }) => main.getByRole('button', { name: /^Delete n\d+\.bin$/ }).click(),
    send: 'Delete',
    done: /^n\d+\.bin deleted$/,
  },
}
