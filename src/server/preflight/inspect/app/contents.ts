import { parseYaml } from '../../../../shared/artifacts/documents/builder-manifest.ts'
import { unescaped } from '../../../../shared/artifacts/documents/xml.ts'
import { plistTexts } from '../apple/plist.ts'
import { fileInAsar, memberOf } from '../archives/asar.ts'
import type { Entry } from '../archives/entry.ts'
import { zipEntries } from '../archives/zip.ts'
import { damaged, orDamaged, Unread } from '../budget.ts'
import type { ElectronUpdateFact, Part } from '../facts.ts'
import type { Findings } from '../findings.ts'
import { readAll, type Source } from '../source.ts'
import { type InspectedProgram, readProgram } from './programs.ts'

const MAX_TEXT = 1_024 * 1_024

/** What is read of an app, by where it is in whatever the app is packed in. */
interface Rule {
  readonly path: RegExp
  readonly part: Part
  read(source: Source, findings: Findings, depth: number): Promise<void>
}

const RULES: readonly Rule[] = [
  {
    path: /(?:^|\/)resources\/app-update\.yml$/i,
    part: 'electron_update',
    async read(source, findings) {
      findings.say({ electronUpdate: electronUpdateIn(await textIn(source)) })
    },
  },
  {
    path: /(?:^|\/)resources\/app\.asar$/i,
    part: 'version',
    read: readAsar,
  },
  {
    path: /(?:^|\/)resources\/app\/package\.json$/i,
    part: 'version',
    async read(source, findings) {
      addPackage(await textIn(source), findings)
    },
  },
  {
    path: /^[^/]+\.app\/Contents\/Info\.plist$/,
    part: 'version',
    async read(source, findings) {
      addBundle(plistTexts(await readAll(source, MAX_TEXT)), findings)
    },
  },
  {
    path: /^[^/]+\.nuspec$/,
    part: 'version',
    async read(source, findings, depth) {
      if (depth === 0) findings.kind = 'nupkg'
      const text = await textIn(source)
      findings.addVersion('nuspec', elementOf(text, 'version'))
      const appId = elementOf(text, 'id')
      if (appId !== undefined) findings.say({ appId })
    },
  },
  {
    path: /^[^/]+\.desktop$/,
    part: 'version',
    async read(source, findings) {
      const [, version] = /^X-AppImage-Version=(.*)$/m.exec(await textIn(source)) ?? []
      findings.addVersion('desktop_entry', version)
    },
  },
  {
    path: /^[^/]+-full\.nupkg$/i,
    part: 'contents',
    read: (source, findings, depth) => {
      return inspectContents(zipEntries(source, findings.budget), findings, depth + 1)
    },
  },
]

/** Programs that are there to install, update or uninstall the app. */
const HELPERS = /(?:^|\/)(?:squirrel|update|elevate|uninstall[^/]*|[^/]*_ExecutionStub)\.exe$/i
/** The folders with the programs of apps: of macOS, Windows and its packages, and Linux. */
const PROGRAMS = [
  /^[^/]+\.app\/Contents\/MacOS\/[^/]+$/,
  /^(?:lib\/[^/]+\/)?[^/]+\.exe$/i,
  /^(?:usr\/bin|opt\/[^/]+)\/[^/.]+$/,
] as const

/** Reads what an archive has of an app. `depth`: in how many files it is. */
export async function inspectContents(
  entries: AsyncIterable<Entry>,
  findings: Findings,
  depth = 0,
): Promise<void> {
  if (depth > findings.budget.limits.nesting) {
    throw new Unread({ code: 'over_limit', limit: 'nesting' })
  }
  let largest: (InspectedProgram & { readonly size: number }) | undefined
  for await (const entry of entries) {
    const { path, size } = entry
    const rule = RULES.find((each) => each.path.test(path))
    if (rule !== undefined) {
      await findings.attempt(rule.part, async () => rule.read(await entry.open(), findings, depth))
    } else if (size > (largest?.size ?? 0) && isProgramPath(path)) {
      await findings.attempt('arch', async () => {
        const program = await readProgram(await entry.open(), findings)
        // Other programs beside it are smaller: tools, and scripts that start it.
        if (program !== undefined) largest = { ...program, size }
      })
    }
  }
  findings.isListed = true
  for (const arch of largest?.arches ?? []) findings.addArch(arch)
  if (largest?.team !== undefined) findings.setPublisher({ appleTeam: largest.team })
}

function isProgramPath(path: string): boolean {
  return PROGRAMS.some((pattern) => pattern.test(path)) && !HELPERS.test(path)
}

/** Adds the version in the `package.json` of an archive of Electron. */
export async function readAsar(source: Source, findings: Findings): Promise<void> {
  const file = await fileInAsar(source, 'package.json', findings.budget)
  if (file !== undefined) addPackage(await textIn(file), findings)
}

function addPackage(text: string, findings: Findings): void {
  const version = memberOf(
    orDamaged(() => JSON.parse(text)),
    'version',
  )
  if (typeof version === 'string') findings.addVersion('package_json', version)
}

function addBundle(texts: ReadonlyMap<string, string>, findings: Findings): void {
  const said = {
    appId: texts.get('CFBundleIdentifier'),
    minimumSystemVersion: texts.get('LSMinimumSystemVersion'),
  }
  for (const [name, value] of Object.entries(said)) {
    if (value !== undefined) findings.say({ [name]: value })
  }
  findings.addVersion('info_plist', texts.get('CFBundleShortVersionString'))
  const feedUrl = texts.get('SUFeedURL')
  const publicEdKey = texts.get('SUPublicEDKey')
  if (feedUrl !== undefined || publicEdKey !== undefined) {
    findings.addVersion('bundle_version', texts.get('CFBundleVersion'))
    const key = publicEdKey === undefined ? {} : { publicEdKey }
    findings.say({ sparkle: { ...(feedUrl === undefined ? {} : { feedUrl }), ...key } })
  }
}

function elementOf(text: string, name: string): string | undefined {
  const [, content] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text) ?? []
  return content === undefined ? undefined : unescaped(content.trim())
}

async function textIn(source: Source): Promise<string> {
  return (await readAll(source, MAX_TEXT)).toString('utf8')
}

/** Returns what `app-update.yml` says. Throws `Unread` for what is no mapping. */
function electronUpdateIn(text: string): ElectronUpdateFact {
  const document = parseYaml(text)
  if (typeof document !== 'object' || document === null) throw damaged()
  const publisher = memberOf(document, 'publisherName') ?? undefined
  return {
    ...textMember(document, 'provider'),
    ...textMember(document, 'url'),
    ...textMember(document, 'channel'),
    ...(publisher === undefined ? {} : { publisherName: [publisher].flat().filter(isText) }),
  }
}

function textMember<Name extends string>(
  document: object,
  name: Name,
): { readonly [Key in Name]?: string } {
  const value = memberOf(document, name)
  return isText(value) ? ({ [name]: value } as { [Key in Name]: string }) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
