import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { readConfigFile } from '../../../../src/server/cli/settings/file.ts'
import { fileSchema } from '../../../../src/server/cli/settings/file-fields.ts'
import { SETTING_NAMES } from '../../../../src/server/cli/settings/table.ts'
import { problemSentence } from '../../../../src/server/cli/strings/config.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
const isBySchema = ajv.compile(fileSchema())

function read(content: string | Buffer) {
  const file = join(temporaryFolder(), 'tidegate.json')
  writeFileSync(file, content)
  const { values, problems, exists } = readConfigFile(file)
  return {
    file,
    exists,
    values: Object.fromEntries(values),
    problems: problems.map(problemSentence),
  }
}

const EVERYTHING = {
  $schema: './tidegate.schema.json',
  nodeName: 'web-1',
  host: '0.0.0.0',
  port: 8_440,
  deviceLimit: 0,
  keyLimit: 2_000_000,
  unreleasedLimit: 100_000,
  newDeviceLimit: 1,
  sessionLimit: 100,
  labelBytes: 256,
  minFreeDisk: 0,
  maxConnections: 10,
  trustProxy: ['loopback', '10.0.0.0/8'],
  database: 'postgres://tidegate@db.example.com/tidegate',
  databaseFile: '/run/database',
  console: 'lan',
  consoleHost: ['updates.example.com'],
  consolePlainHttp: false,
  setupName: 'ada',
  setupPasswordFile: '/run/password',
  oidcIssuer: 'https://id.example.com',
  oidcClientId: 'tidegate',
  oidcClientSecretFile: '/run/secret',
  tlsCert: '/etc/cert.pem',
  tlsKey: '/etc/key.pem',
  tlsSelfSigned: false,
  keepCheckIns: 0,
  keepDevices: 1,
  keepSeenOnce: 1,
  smtpHost: 'mail.example.com',
  smtpPort: 465,
  smtpTls: 'tls',
  smtpUser: 'tidegate',
  smtpPasswordFile: '/run/smtp-password',
  mailFrom: 'tidegate@example.com',
  webhookPrivateHost: ['hooks.internal:8080', '10.0.0.5'],
  push: 'off',
  pushHost: ['push.example.com'],
  gateServer: ['https://prometheus.example.com:9090', 'https://sentry.io'],
  gateTokensFile: '/run/gate-tokens',
  backupEvery: 24,
  backupKeep: 1_000,
  backupFolder: '/mnt/copies',
  artifacts: '/srv/artifacts',
  s3Endpoint: 'https://s3.example.com',
  s3Region: 'garage',
  publicUrl: 'https://updates.example.com',
  artifactsQuota: 100,
  downloads: 0,
  patchSpace: 512,
  networkDownloads: 20,
  downloadRate: 10_000,
  clientDownloadRate: 1_000,
  metricsPort: 9440,
  metricsHost: '192.0.2.1',
  accessLog: true,
  logLevel: 'silent',
  logFile: '/var/log/tidegate.log',
}

test('every setting but those of one process can be in the file', () => {
  const { $schema: _, ...values } = EVERYTHING
  expect(read(JSON.stringify(EVERYTHING))).toMatchObject({ exists: true, values, problems: [] })
  expect(isBySchema(EVERYTHING)).toBe(true)
  const left = SETTING_NAMES.filter((name) => !Object.hasOwn(EVERYTHING, name))
  expect(left).toEqual(['stopWithParent'])
})

test.each([
  [{ port: '84x' }, 'port is "84x"; it must be a whole number from 0 to 65535'],
  [{ port: 65_536 }, 'port is 65536; it must be a whole number from 0 to 65535'],
  [{ port: null }, 'port is null; it must be a whole number from 0 to 65535'],
  [{ keepDevices: 1.5 }, 'keepDevices is 1.5; it must be a whole number of at least 0'],
  [{ tlsSelfSigned: 'yes' }, 'tlsSelfSigned is "yes"; it must be true or false'],
  [{ console: 'wan' }, 'console is "wan"; it must be one of off, loopback, lan'],
  [{ host: '' }, 'host is ""; it must be a string that is not empty'],
  [{ oidcIssuer: 'nonsense' }, 'oidcIssuer is "nonsense"; it must be an https address'],
  [
    { trustProxy: 'loopback' },
    'trustProxy is "loopback"; it must be an array of addresses, ranges',
  ],
  [
    { consoleHost: ['a.example', 'B:1'] },
    'consoleHost.1 is "B:1"; it must be a host name in lower case, without scheme and port',
  ],
  [{ tlsKey: '-----BEGIN PRIVATE KEY-----' }, 'tlsKey must be the path of a file or folder, not'],
  [{ host: { deep: 'x'.repeat(100) } }, `host is {"deep":"${'x'.repeat(51)}…; it must be`],
  [{ $schema: 1 }, '$schema is 1; it must be a string'],
  [{ prot: 1 }, 'prot is not a setting; did you mean port?'],
  [{ 'device-limit': 1 }, 'device-limit is not a setting; did you mean deviceLimit?'],
  [{ TIDEGATE_KEY_LIMIT: 1 }, 'TIDEGATE_KEY_LIMIT is not a setting; did you mean keyLimit?'],
  [{ windmills: 1 }, 'windmills is not a setting; "config schema" lists all settings'],
  [{ dataFolder: 'x' }, 'dataFolder cannot be set in a file of the data folder itself'],
  [
    { stopWithParent: true },
    'stopWithParent applies to one process only; remove it and use --stop',
  ],
  [{ smtpPassword: 'x' }, 'smtpPassword looks like a secret, which this file must not contain'],
])('%j is a problem with its fix', (content, sentence) => {
  const { problems, values } = read(JSON.stringify(content))
  expect(problems).toEqual([expect.stringContaining(sentence)])
  expect(values).toEqual({})
  expect(isBySchema(content)).toBe(false)
})

test('a member of the prototype is not a setting', () => {
  const { problems } = read('{"__proto__": {"port": 1}, "constructor": 1}')
  expect(problems).toEqual([
    expect.stringContaining('__proto__ is not a setting'),
    expect.stringContaining('constructor is not a setting'),
  ])
})

test.each([
  ['{"port": 1,}', 'malformed JSON at line 1 column 12; comments and trailing commas'],
  ['', 'malformed JSON'],
  ['[1]', 'must be an object'],
  ['null', 'must be an object'],
  [`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'has more than 8 levels'],
  [`{"a":"${'x'.repeat(65_536)}"}`, 'is larger than'],
  [Buffer.from('{"host": "\xff"}', 'latin1'), 'is not UTF-8'],
])('a file that is no settings at all is one problem: %.20j', (content, sentence) => {
  const { problems } = read(content)
  expect(problems).toEqual([expect.stringContaining(sentence)])
})

test('a field that appears twice is a problem, however it is written', () => {
  const written = '{"port": 1, "host": "{\\"port\\": 2}", "console": "lan", "p\\u006frt" : 2}'
  expect(read(written)).toMatchObject({
    values: { host: '{"port": 2}', console: 'lan' },
    problems: ['port appears more than once; keep one of them'],
  })
  expect(read(written)).not.toHaveProperty('values.port')
  // Values, and fields of other objects, are no fields of the file.
  const once =
    '{"trustProxy": ["host", "host"], "host": "host", "x": {"host": 1, "y": {"host": 1}}}'
  expect(read(once).problems).toEqual([expect.stringContaining('x is not a setting')])
  expect(read('{"a": 1, "a": 1, "a": 1}').problems).toHaveLength(2)
})

test('malformed JSON is not quoted, because it could hold a secret', () => {
  const { problems } = read('{"oidcClientSecret": hunter2}')
  expect(problems).toEqual([expect.stringContaining('malformed JSON')])
  expect(problems.join()).not.toContain('hunter2')
})

test('the byte order mark of an editor is no problem, and a missing file none either', () => {
  expect(read('\uFEFF{\r\n"port": 1}\r\n')).toMatchObject({ values: { port: 1 }, problems: [] })
  const missing = readConfigFile(join(temporaryFolder(), 'tidegate.json'))
  expect(missing).toMatchObject({ exists: false, problems: [] })
})

test('paths are relative to the folder of the file', () => {
  const { file, values } = read('{"backupFolder": "copies", "logFile": "/var/log/t.log"}')
  expect(values).toEqual({ backupFolder: join(file, '../copies'), logFile: '/var/log/t.log' })
})
