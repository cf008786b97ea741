import type { Scope } from '../../shared/key.ts'

/** What each scope allows, in words. */
export const SCOPE_WORDS: Readonly<Record<Scope, { name: string; meaning: string }>> = {
  read: { name: 'Read', meaning: 'See releases, with their targets and artifacts.' },
  publish: { name: 'Publish', meaning: 'Publish releases, from a build machine for instance.' },
  serve: { name: 'Serve', meaning: 'Change percentages and targets, pause and roll back.' },
  fleet: { name: 'Fleet', meaning: 'Report for many devices and ask for their decisions.' },
}
