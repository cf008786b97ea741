/** Returns a script that does what an updater has to do. `base` is the address of update checks for a channel. */
export function otherSnippet(base: string): string {
  return `import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const VERSION = '1.0.0'

if (!existsSync('device-id')) writeFileSync('device-id', randomUUID())
const device = readFileSync('device-id', 'utf8')

const check = await fetch(\`${base}/windows/x86_64/\${VERSION}\`, {
  headers: { 'X-Service-Device': device },
})
if (!check.ok) throw new Error(\`The update check failed: \${(await check.json()).error}\`)

if (check.status === 204) {
  console.log(\`\${VERSION} is up to date\`)
} else {
  const update = await check.json()
  const download = await fetch(update.url)
  if (!download.ok) throw new Error(\`The download failed with status \${download.status}\`)
  const file = Buffer.from(await download.arrayBuffer())
  // Compare in the encoding that you publish, here hex.
  const sha512 = createHash('sha512').update(file).digest('hex')
  if (sha512 !== update.sha512) throw new Error('The downloaded file is damaged')
  writeFileSync('update.exe', file)
  console.log(\`Downloaded \${update.version}\`)
}
`
}
