import { List } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ImportRemark } from '../../../shared/artifacts/imported.ts'
import type { ArtifactWarning } from '../../../shared/artifacts/warnings.ts'
import { remarkSentence, warningSentence } from '../../../shared/wording/artifacts.ts'
import { unsignedWarning } from '../../../shared/wording/unsigned.ts'
import { Notice } from '../../components/notice.tsx'
import { text } from './strings.ts'

/** What the last import left out, replaced or lacks. */
export function ImportAlert({ remarks }: { readonly remarks: readonly ImportRemark[] }) {
  if (remarks.length === 0) return null
  return (
    <Notice icon={IconInfoCircle} role="status" title={text.importedTitle} color="tide">
      <Sentences lines={remarks.map(remarkSentence)} />
    </Notice>
  )
}

interface WarningsProps {
  readonly warnings: readonly ArtifactWarning[]
  /** The version of the release, as it is typed. */
  readonly version: string
}

/** What is suspicious about the files of a release. Nothing of it keeps the release from being published. */
export function WarningsAlert({ warnings, version }: WarningsProps) {
  if (warnings.length === 0) return null
  const lines = warnings.map((warning) =>
    warning.code === 'unsigned'
      ? (unsignedWarning(warning.files) ?? '')
      : warningSentence(warning, version),
  )
  return (
    <Notice role="status" title={text.warningsTitle}>
      <Sentences lines={lines} />
    </Notice>
  )
}

function Sentences({ lines }: { readonly lines: readonly string[] }) {
  return (
    <List size="sm" style={{ overflowWrap: 'anywhere' }}>
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
