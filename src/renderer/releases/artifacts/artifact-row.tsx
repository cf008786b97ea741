import { ActionIcon, Autocomplete, Text, TextInput, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import classes from './artifacts.module.css'
import type { ArtifactDraft, ArtifactField, ArtifactIssues } from './draft.ts'
import { HashLine } from './hash-line.tsx'
import type { HashJob } from './use-hashing.ts'

const PLATFORMS = ['darwin', 'windows', 'linux']
const ARCHES = ['x86_64', 'aarch64', 'i686', 'armv7', 'riscv64', 'any']

interface Props {
  /** Counts from 1. */
  readonly number: number
  readonly value: ArtifactDraft
  readonly issues: ArtifactIssues | undefined
  /** Said at once where another row serves the same devices. */
  readonly twin: string | undefined
  readonly job: HashJob | undefined
  readonly onChange: (parts: Partial<ArtifactDraft>) => void
  readonly onRemove: () => void
  readonly onHash: (file: File) => void
  readonly onCancelHash: () => void
}

/** The fields of one artifact, with what is wrong beside each. */
export function ArtifactRow(props: Props) {
  const { number, value, issues, twin, job, onChange, onRemove } = props
  const text = (field: ArtifactField, label: string, rest: { placeholder?: string } = {}) => ({
    label,
    value: value[field],
    error: issues?.[field],
    autoComplete: 'off',
    spellCheck: false,
    ...rest,
  })
  const remove = `Remove artifact ${number}`
  return (
    <fieldset className={classes.row}>
      <legend className={classes.legend}>
        Artifact {number}
        <Text span size="xs" c="dimmed">
          {value.origin}
        </Text>
      </legend>
      <Tooltip label={remove}>
        <ActionIcon color="gray" className={classes.remove} aria-label={remove} onClick={onRemove}>
          <IconTrash size={16} aria-hidden="true" />
        </ActionIcon>
      </Tooltip>
      <div className={classes.fields}>
        <Autocomplete
          {...text('platform', 'Platform')}
          data={PLATFORMS}
          onChange={(platform) => onChange({ platform })}
        />
        <Autocomplete
          {...text('arch', 'Arch')}
          data={ARCHES}
          onChange={(arch) => onChange({ arch })}
        />
        <TextInput
          {...text('url', 'Address', { placeholder: 'https://downloads.example.com/Editor.dmg' })}
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
        <TextInput
          {...text('size', 'Size in bytes', { placeholder: 'Not given' })}
          inputMode="numeric"
          onChange={({ currentTarget }) => onChange({ size: currentTarget.value })}
        />
        <TextInput
          {...text('sha512', 'SHA-512', { placeholder: 'In hex or base64' })}
          className={classes.wide}
          classNames={{ input: classes.mono }}
          onChange={({ currentTarget }) => onChange({ sha512: currentTarget.value })}
        />
        <TextInput
          {...text('signature', 'Signature', { placeholder: 'Not given' })}
          classNames={{ input: classes.mono }}
          className={classes.rest}
          onChange={({ currentTarget }) => onChange({ signature: currentTarget.value })}
        />
      </div>
      {job !== undefined && (
        <HashLine job={job} onCancel={props.onCancelHash} onStart={() => props.onHash(job.file)} />
      )}
      {twin !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {twin}
        </Text>
      )}
    </fieldset>
  )
}
