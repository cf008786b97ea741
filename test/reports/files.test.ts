import { expect, test } from 'vitest'
import { downloadUrl, startHosting, tusOf, uploadFile } from '../support/servers/hosting.ts'

// Inputs of reports about other products: see README.md in this folder.

test('a name that a device could not save is refused, any other is kept', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const wrong = [
    'CON.exe',
    'con',
    'LPT1.txt',
    'aux.tar.gz',
    'C:app.exe',
    'app?.exe',
    'app*.exe',
    'app<1>.exe',
    'app"q".exe',
    'a|b.exe',
    'app.exe.',
    'app.exe ',
    '..',
    'a/b.exe',
    'a\\b.exe',
    'a\nb.exe',
  ]
  for (const name of wrong) {
    expect([name, (await tus.begin({ name, size: 1 })).status]).toEqual([name, 400])
  }
  const right = [
    'My App Setup 1.0.1.exe',
    '知丘-1.0.exe',
    'Мое Приложение.exe',
    'App+1.0 #1 100%.exe',
    'a&b;c=d.exe',
    "it's.exe",
    'cafe\u0301.exe',
    '😀.zip',
    'concert.exe',
    '.htaccess',
    '-rf.exe',
  ]
  for (const name of right) {
    const content = Buffer.from(`content of ${name}`)
    const stored = await uploadFile(server, content, name)
    const answer = await fetch(downloadUrl(server, stored))
    expect([name, answer.status, await answer.text()]).toEqual([name, 200, content.toString()])
  }
})
