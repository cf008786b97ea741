import type { z } from 'zod'
import {
  MAX_RELEASE_CHOICES,
  type ReleaseChoices,
  type ReleaseChoicesInput,
} from '../../../shared/console/releases.ts'
import { newestFirst } from '../../catalog/releases/show-release.ts'
import { findApp } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'

/** Returns releases of an app to choose from, of all its channels. Throws the refusals `unknown`. */
export async function releaseChoices(
  { catalog, principal }: Pick<ConsoleContext, 'catalog' | 'principal'>,
  { app: ref, search }: z.output<typeof ReleaseChoicesInput>,
): Promise<ReleaseChoices> {
  const app = findApp(await catalog.refresh(), principal, ref, 'viewer')
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return [...app.channels.values()]
    .flatMap(({ record: { name }, compiled }) =>
      compiled.releases
        .filter(({ facts }) => isFound(`${facts.version.toLowerCase()} ${name}`, words))
        .map(({ facts }) => ({ channel: name, facts })),
    )
    .sort((one, other) => newestFirst(one.facts, other.facts))
    .slice(0, MAX_RELEASE_CHOICES)
    .map(({ channel, facts: { version, status, createdAt } }) => {
      return { channel, version, status, createdAt }
    })
}

function isFound(name: string, words: readonly string[]): boolean {
  return words.every((word) => name.includes(word))
}
