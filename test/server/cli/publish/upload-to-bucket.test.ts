import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fileFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { done, refusal, serveCli, shown, startCli } from '../../../support/processes/cli.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { builtFile } from '../../../support/servers/hosting.ts'
import { BUCKET, credentials, startS3 } from '../../../support/servers/s3-server.ts'

test('publish --upload stores files in a bucket, from which devices download them', async () => {
  const s3 = await startS3()
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const port = await freePort()
  for (const [name, value] of Object.entries(credentials())) vi.stubEnv(name, value)
  const server = await serveCli(
    ...([folder, '--port', String(port), '--console', 'off', '--min-free-disk', '0'] as const),
    ...['--artifacts', `s3://${BUCKET}/tidegate`, '--s3-endpoint', s3.endpoint],
    ...['--public-url', `http://127.0.0.1:${port}`],
  )
  vi.unstubAllEnvs()
  const { content, sha512 } = builtFile(9 * 1_024 ** 2)
  const path = join(temporaryFolder(), 'Editor 1.4.0-setup.exe')
  writeFileSync(path, content)
  const file = `windows/x86_64=${path}`
  await done(folder, 'publish', 'editor', 'stable', '1.4.0', '--file', file, '--upload')
  expect(s3.keys()).toEqual([`tidegate/${sha512}/Editor=201.4.0-setup.exe`])
  const { files, bytes } = await shown(folder, 'file', 'list')
  expect(files).toMatchObject([{ name: 'Editor 1.4.0-setup.exe', uses: 1 }])
  expect(bytes).toBe(content.length)
  const update = await fetch(`${server.address}/u/editor/stable/windows/x86_64/1.0.0`)
  const { url } = await update.json()
  const download = await fetch(url)
  expect(new URL(download.url).origin).toBe(s3.endpoint)
  expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
  const { code, stderr } = await server.stop()
  expect([code, stderr]).toEqual([
    0,
    expect.not.stringContaining(credentials().AWS_ACCESS_KEY_ID ?? ''),
  ])
})

test('settings of a bucket that cannot be used are refused before the server starts', async () => {
  const serve = (...args: string[]) =>
    startCli(['serve', '--data', temporaryFolder(), '--public-url', 'https://a.example', ...args])
      .ended
  const [wrong, alone] = await Promise.all([
    serve('--artifacts', 's3://Studio'),
    serve('--artifacts', '/srv/artifacts', '--s3-region', 'garage'),
  ])
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('must be s3://BUCKET or s3://BUCKET/PREFIX')
  expect(refusal(alone)).toBe(
    'error: --s3-endpoint and --s3-region need --artifacts with a bucket, such as s3://studio/tidegate',
  )
})
