import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { World } from './world.ts'
import type { Writes } from './write.ts'

const BYTES = Buffer.from('an installer')
const settings = () => '#/settings'

/** Begins to upload a file that is as large as `size`. */
async function begin({ call, name }: World, size: number): Promise<{ name: string; id: string }> {
  const file = { name: `${name()}.bin`, size }
  const sha512 = createHash('sha512').update(BYTES).update(file.name).digest('hex')
  const { id } = z.object({ id: z.string() }).parse(await call('files.begin', { ...file, sha512 }))
  return { name: file.name, id }
}

/** Backups and stored files. */
export const SERVER: Writes = {
  'backups.now': {
    at: settings,
    menu: 'Back up now',
    isOnScreen: true,
    send: 'Database only',
    done: 'Backup created and verified',
  },
  'backups.nowWithFiles': {
    at: settings,
    menu: 'Back up now',
    isOnScreen: true,
    send: 'Database and stored files',
    done: 'Backup of the database and stored files created and verified',
  },
  'files.removeUpload': {
    async at(world) {
      await begin(world, 100)
      return '#/settings'
    },
    open: ({ main }) =>
      main
        .getByRole('button', { name: /^Delete upload of/ })
        .first()
        .click(),
    send: 'Delete',
    done: /^Upload of n\d+\.bin deleted$/,
  },
}
