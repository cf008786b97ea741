import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HttpRequest, Upload } from 'tus-js-client'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import {
  builtFile,
  downloadUrl,
  type HostingServer,
  startHosting,
} from '../../../support/servers/hosting.ts'

/** Uploads as the published client does, and resolves to the last answer. */
function uploadWith(
  { address, key }: HostingServer,
  path: string,
  size: number,
  options: ConstructorParameters<typeof Upload>[1] = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    new Upload(createReadStream(path), {
      endpoint: `${address}/api/v1/uploads`,
      headers: { authorization: `Bearer ${key}` },
      metadata: { filename: 'Editor.dmg' },
      uploadSize: size,
      chunkSize: 40_000,
      retryDelays: [0, 0, 0],
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
      onError: reject,
      ...options,
    }).start()
  })
}

test('tus-js-client uploads in pieces, goes on after a break, and gets the file described', async () => {
  const server = await startHosting()
  const { content, sha512 } = builtFile(150_000)
  const path = join(temporaryFolder(), 'Editor.dmg')
  writeFileSync(path, content)
  const offsets: string[] = []
  let breaks = 1
  const onBeforeRequest = (request: HttpRequest) => {
    if (request.getMethod() !== 'PATCH') return
    offsets.push(request.getHeader('Upload-Offset') ?? '')
    // As a connection that breaks: the client asks for the offset and goes on.
    if (offsets.length === 2 && breaks-- > 0) throw new Error('broken')
  }
  const body = await uploadWith(server, path, content.length, {
    onBeforeRequest,
    metadata: { filename: 'Editor.dmg', sha512 },
  }).catch(async (error) => {
    expect(String(error)).toContain('broken')
    const { upload } = (await server.call('GET', `/api/v1/files/${sha512}`)).body
    expect(upload).toMatchObject({ offset: 40_000, size: 150_000 })
    const uploadUrl = `${server.address}/api/v1/uploads/${upload.id}`
    return await uploadWith(server, path, content.length, { uploadUrl })
  })
  const { file } = JSON.parse(body)
  expect(file).toMatchObject({ name: 'Editor.dmg', sha512, size: 150_000 })
  const downloaded = await (await fetch(downloadUrl(server, file))).arrayBuffer()
  expect(Buffer.from(downloaded).equals(content)).toBe(true)
})
