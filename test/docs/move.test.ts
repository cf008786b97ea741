import { expect, test } from 'vitest'
import { smallFolder } from '../server/storage/move/moved-folder.ts'
import { fileFolder } from '../support/builders/folders.ts'
import { blocksOf, readPage } from '../support/docs/page.ts'
import { freshDatabase } from '../support/postgres/shared-cluster.ts'
import { startCommand } from '../support/processes/cli.ts'
import { needs } from '../support/tools.ts'

test(
  'the commands move there and back, and nothing is left to discard',
  needs('postgresql'),
  async () => {
    const [folder, url, back] = [smallFolder(), await freshDatabase(), fileFolder()]
    const commands = blocksOf(readPage('docs/move.md'))
      .flatMap(({ text }) => text.split('\n'))
      .map((line) => line.trim())
      .filter((line) => line.startsWith('tidegate '))
      .map((line) =>
        line
          .replace('/var/lib/tidegate', folder)
          .replace('/srv/tidegate', back)
          .replace('postgres://tidegate@db.studio.example/tidegate', url)
          .split(' ')
          .slice(1),
      )
    const ended = []
    for (const args of commands) ended.push(await startCommand(args).ended)
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 3])
    expect(ended[2]?.stderr).toContain('there is no unfinished move')
  },
)
