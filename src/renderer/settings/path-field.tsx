import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FolderKind } from '../../shared/console/settings.ts'
import { shellClient } from '../bridge/clients.ts'
import { sentence } from './read-section.ts'
import classes from './settings.module.css'
import { text } from './strings.ts'

interface Props {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly kind: 'certificate' | 'key' | FolderKind
  readonly value: string
  readonly issue: string | undefined
  readonly onChange: (path: string) => void
  /** Called with whether the path is being typed: it is complete when the field loses focus. */
  readonly onTyping?: (isTyping: boolean) => void
}

/** A path to a file or folder: typed, or chosen in the system's dialog. */
export function PathField({ kind, onChange, onTyping, issue, label, ...rest }: Props) {
  const choose = useMutation({
    mutationFn: () =>
      kind === 'backups' || kind === 'files'
        ? shellClient.shell.chooseFolder.mutate({ kind })
        : shellClient.shell.chooseFile.mutate({ kind }),
    onSuccess: ({ path }) => path !== null && onChange(path),
  })
  return (
    <Group gap="xs" align="end" wrap="nowrap" className={classes.path}>
      <TextInput
        flex={1}
        label={label}
        {...rest}
        error={sentence(label, issue) ?? (choose.error && text.dialogFailed)}
        inputWrapperOrder={['label', 'description', 'error', 'input']}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          onTyping?.(true)
          onChange(event.currentTarget.value)
        }}
        onBlur={() => onTyping?.(false)}
      />
      <Button
        variant="default"
        loading={choose.isPending}
        aria-label={text.chooseWhat(label)}
        onClick={() => choose.mutate()}
      >
        {text.choose}
      </Button>
    </Group>
  )
}
