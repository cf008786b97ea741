import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Scope } from '../../shared/key.ts'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { DialogButtons } from '../components/dialog-buttons.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { SCOPE_WORDS } from './strings.ts'

interface Props {
  readonly onMinted: (secret: string) => void
  readonly onCancel: () => void
}

/** Asks what a key is for. Nothing is allowed that was not chosen. */
export function MintForm({ onMinted, onCancel }: Props) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [app, setApp] = useState<string | null>(null)
  const apps = useQuery(server.apps.list.queryOptions())
  const mint = useMutation(
    server.keys.mint.mutationOptions({
      onSuccess: async ({ secret }) => {
        onMinted(secret)
        await queryClient.invalidateQueries()
      },
    }),
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    mint.mutate({ name: name.trim(), scopes: [...scopes], app })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="Says later what used it, in the list and in the audit log."
          required
          maxLength={MAX_DISPLAY_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group
          label="What it may do"
          value={[...scopes]}
          onChange={(chosen) => setScopes(Scope.options.filter((each) => chosen.includes(each)))}
        >
          <Stack gap="xs" mt="xs">
            {Scope.options.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={SCOPE_WORDS[scope].name}
                description={SCOPE_WORDS[scope].meaning}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="App"
          description="A key for one app sees and changes that app alone."
          placeholder="All apps"
          data={(apps.data ?? []).map((each) => ({ value: each.ref, label: each.name }))}
          value={app}
          onChange={setApp}
          clearable
          clearButtonProps={{ 'aria-label': 'Allow all apps' }}
        />
        <ErrorNotice error={mint.error} />
        <DialogButtons
          action="Create key"
          pending={mint.isPending}
          disabled={name.trim() === '' || scopes.length === 0}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
