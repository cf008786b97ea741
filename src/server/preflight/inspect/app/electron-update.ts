import { parseYaml } from '../../../../shared/artifacts/documents/builder-manifest.ts'
import { memberOf } from '../archives/asar.ts'
import { damaged } from '../budget.ts'
import type { ElectronUpdateFact } from '../facts.ts'

/** Returns what `app-update.yml` says. Throws `Unread` for what is no mapping. */
export function electronUpdateIn(text: string): ElectronUpdateFact {
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
