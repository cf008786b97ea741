import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { snippetsFor } from '../../src/server/console/apps/snippets/snippets.ts'
import type { SnippetId } from '../../src/shared/files/updater.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { PageCode, ROOT } from '../support/docs/page.ts'
import { homeWithData, runBlocks, startServer } from '../support/docs/run.ts'
import { needs } from '../support/tools.ts'

const UPDATES = 'https://updates.example.com'

const code = new PageCode('docs/connect.md')
const configuration = code.takeOne('1. Configure the updater', 'json')
const javascript = code.takeOne('2. Check for updates', 'javascript')
const rust = code.takeOne('2. Check for updates', 'rust')
const builder = code.takeOne('electron-updater', 'yaml')
const electron = code.takeOne('electron-updater', 'javascript')
const squirrel = code.takeOne('Electron autoUpdater', 'javascript')
const plist = code.takeOne('Sparkle', 'xml')
const swift = code.takeOne('Sparkle', 'swift')
const velopack = code.takeOne('Velopack', 'csharp')
const [create = '', publish = '', ...serving] = code.take('Release from a script', 'sh')
const attempt = code.takeOne('Test the connection', 'sh')
const other = code.takeOne('Other apps', 'javascript')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('is the code that the console shows', () => {
  const snippets = snippetsFor(UPDATES, { app: 'editor', channel: 'stable' })
  const inConsole = Object.fromEntries(snippets.map(({ id, text }) => [id, text.trimEnd()]))
  const onPage: Record<SnippetId, string> = {
    tauri_configuration: configuration,
    tauri_javascript: javascript,
    tauri_rust: rust,
    electron_configuration: builder,
    electron_updater: electron,
    electron_squirrel: squirrel,
    sparkle_configuration: plist,
    sparkle_swift: swift,
    velopack,
    other,
    publish,
    try: attempt,
  }
  expect(onPage).toEqual(inConsole)
})

test(
  'a script publishes a signed build, raises its rollout, pauses it and rolls it back',
  needs('curl'),
  async () => {
    const folder = temporaryFolder()
    const environment = await homeWithData(folder)
    const address = await startServer('npm run serve', environment)
    writeFileSync(join(folder, 'Editor_1.2.0_x64-setup.exe'), 'an installer')
    writeFileSync(join(folder, 'Editor_1.2.0_x64-setup.exe.sig'), 'dW50cnVzdGVkIGNvbW1lbnQ=')
    const blocks = [create, `cd '${folder}'\n${publish}`, ...serving, attempt]
    const outputs = await runBlocks(
      blocks.map((block) => block.replaceAll(UPDATES, address)),
      environment,
      ROOT,
    )
    const [, published = '', ...changed] = outputs
    const tried = changed.pop()
    expect(JSON.parse(published).release).toMatchObject({
      version: '1.2.0',
      rolloutPct: 10,
      artifacts: [{ platform: 'windows', signature: 'dW50cnVzdGVkIGNvbW1lbnQ=' }],
    })
    expect(changed.map((text) => JSON.parse(text).release)).toMatchObject([
      { rolloutPct: 50, status: 'published' },
      { rolloutPct: 50, status: 'paused' },
      { rolloutPct: 50, status: 'rolled_back' },
    ])
    expect(tried).toMatch(/^HTTP\/1\.1 204/)
  },
)
