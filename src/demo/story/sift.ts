import { Plan } from '../../shared/plans/plan.ts'
import { type AppStory, ramp, soaking } from './story.ts'

/** A command-line tool: many of its devices are build servers that run day and night. */
export const SIFT: AppStory = {
  ref: 'sift',
  name: 'Sift',
  weight: 16,
  channels: [
    { name: 'stable', weight: 92, before: ['0.8.3'] },
    { name: 'edge', weight: 8 },
  ],
  platforms: [
    { platform: 'linux', arch: 'x86_64', weight: 57 },
    { platform: 'linux', arch: 'aarch64', weight: 15 },
    { platform: 'darwin', arch: 'aarch64', weight: 21 },
    { platform: 'windows', arch: 'x86_64', weight: 7 },
  ],
  rhythms: [
    { name: 'office', weight: 45 },
    { name: 'always', weight: 40 },
    { name: 'home', weight: 15 },
  ],
  files: [
    ['linux', 'x86_64', 'x86_64-linux.tar.xz'],
    ['linux', 'aarch64', 'aarch64-linux.tar.xz'],
    ['darwin', 'any', 'macos.tar.xz'],
    ['windows', 'x86_64', 'x86_64-windows.zip'],
  ],
  policies: [],
  releases: [
    {
      at: 0,
      version: '0.9.0',
      notes: `- \`sift watch\` reruns a query whenever a file changes
- \`--since\` accepts durations such as \`3d\` and \`90m\`
- Compressed files are read without a temporary copy
`,
    },
    {
      at: 27,
      version: '0.10.0',
      rolloutPct: 20,
      notes: `### Added

- \`sift join\` matches two files by a field, sorted or not
- Shell completion for fish and Nushell

### Changed

- \`--json\` writes one object per line. Use \`--json=array\` for the previous array output

### Fixed

- A malformed line is skipped and reported with its number
`,
      changes: ramp('pipeline', [28.5, 60], [31, 100]),
    },
    {
      at: 61,
      version: '1.0.0',
      rolloutPct: 10,
      notes: `The first stable release. Options and exit codes are now stable; removals are announced one minor
version ahead.

- Queries are planned before they run; \`sift explain\` shows the plan
- Twice as fast on files over 1 GB
- Exit code 3 if nothing matches, so that scripts can distinguish it from an error
`,
      changes: ramp('mara', [64.5, 50], [68, 100]),
    },
    {
      at: 86,
      version: '1.1.0',
      plan: soaking([10, 12], [50, 12], [100, 12]),
      notes: `- \`sift serve\` answers queries over a socket, so that editors need not start a process for each
- Queries with several \`where\` read each line once
- macOS: files on network drives are watched, too
`,
    },
    {
      at: 0,
      channel: 'edge',
      version: '0.10.0-rc.1',
      notes: `Release candidate of 0.10 with \`sift join\`.
`,
    },
    {
      at: 83,
      channel: 'edge',
      version: '1.1.0-rc.1',
      notes: `Release candidate of 1.1 with \`sift serve\`, which answers queries over a socket.
`,
    },
  ],
  live: [
    {
      hour: 0.25,
      by: 'mara',
      version: '1.2.0',
      plan: Plan.parse({
        steps: [
          { rolloutPct: 10, soakHours: 1.25, gate: { minAdoptedPct: 25 } },
          { rolloutPct: 25, soakHours: 1.25, gate: { minAdoptedPct: 25 } },
          { rolloutPct: 50, soakHours: 1.25, gate: { minAdoptedPct: 25 } },
          { rolloutPct: 100, soakHours: 1.25 },
        ],
      }),
      notes: `- \`sift diff\` compares the results of two queries
- \`sift watch\` starts in half the time
`,
    },
  ],
}
