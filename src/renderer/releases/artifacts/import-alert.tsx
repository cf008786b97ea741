import { Alert, List } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ImportRemark } from '../../../shared/artifacts/imported.ts'
import type { ArtifactWarning } from '../../../shared/artifacts/warnings.ts'
import { remarkSentence, warningSentence } from '../../../shared/wording/artifacts.ts'
import { unsignedWarning } from '../../../shared/wording/unsigned.ts'
import { text } from './strings.ts'

/** What the last import left out, replaced or lacks. */
export function ImportAlert({ remarks }: { readonly remarks: readonly ImportRemark[] }) {
  if (remarks.length === 0) return null
  return (
    <Alert
      role="status"
      variant="light"
      icon={<IconInfoCircle aria-hidden="true" />}
      title={text.importedTitle}
    >
      <Sentences lines={remarks.map(remarkSentence)} />
    </Alert>
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
    <Alert
      role="status"
      variant="light"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={text.warningsTitle}
    >
      <Sentences lines={lines} />
    </Alert>
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
