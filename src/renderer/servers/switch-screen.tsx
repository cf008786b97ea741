import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { shell } from '../bridge/clients.ts'
import { ErrorNotice } from '../components/blocks.tsx'
import { Loading } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { OWN_SERVER, paths } from '../paths.ts'
import { text } from './strings.ts'

/**
 * Switches to the server in its address. It is a screen because leaving another one asks about what is not saved there.
 * The app then loads the page anew, so that nothing of one server stays in the page of another.
 */
export function Component() {
  const { server = OWN_SERVER } = useParams()
  const { mutate, error } = useMutation(shell.shell.servers.use.mutationOptions())
  useEffect(() => {
    // Where the page begins when it is loaded anew.
    history.replaceState(null, '', `#${paths.overview}`)
    mutate({ id: server === OWN_SERVER ? null : server })
  }, [server, mutate])
  return (
    <>
      <PageHeader title={text.switching} />
      {error === null ? (
        <Loading rows={3} />
      ) : (
        <ErrorNotice error={error} title={text.notSwitched} />
      )}
    </>
  )
}
