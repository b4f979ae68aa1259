import { Button } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Above } from './above.tsx';
import { Buttons } from './buttons.tsx';
import { Charts } from './charts.tsx';
import { Facts } from './facts.tsx';
import { Forms } from './forms.tsx';
import { Lists } from './lists.tsx';
import { Specimen, State } from './specimen.tsx';
import { Waiting } from './waiting.tsx';

/** Every component in every state, for people who change them. A build for use does not have it. */
export function Design() {
  return (
    <>
      <PageHead
        title="Design"
        sentence="Every component in every state. Only development has this view."
        above={{ to: '/integrations', label: 'Integrations' }}
        actions={<Button>An action</Button>}
      />
      <Specimen of={['PageHead']}>
        <State name="with all its parts">
          <p>It is above: the view over this one, title, sentence and actions.</p>
        </State>
      </Specimen>
      <Buttons />
      <Charts />
      <Facts />
      <Forms />
      <Lists />
      <Waiting />
      <Above />
    </>
  );
}
