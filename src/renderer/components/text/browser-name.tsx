import type { SessionKind } from '../../../shared/access/person.ts'
import { text } from '../strings.ts'

/** Browsers name those that they are compatible with, too: the first of these that is found counts. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bTidegate\//, 'Tidegate'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns the browser and the operating system that a `User-Agent` (RFC 9110 section 10.1.5) claims; null for unknown. */
export function readUserAgent(userAgent: string): {
  readonly browser: string | null
  readonly system: string | null
} {
  const first = (list: typeof BROWSERS) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
  return { browser: first(BROWSERS), system: first(SYSTEMS) }
}

/** A browser as people name it, with its own words on hover. */
function BrowserName({ userAgent }: { readonly userAgent: string }) {
  const { browser, system } = readUserAgent(userAgent)
  return <span title={userAgent}>{text.browser(browser, system)}</span>
}

interface Props {
  readonly kind: SessionKind
  /** The name of the computer for a session of the command line. */
  readonly userAgent: string
}

/** Where a session is used: a browser, or the command line of a computer. */
export function SessionPlace({ kind, userAgent }: Props) {
  if (kind === 'browser') return <BrowserName userAgent={userAgent} />
  return <span>{text.commandLineOn(userAgent)}</span>
}
