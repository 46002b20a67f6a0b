export { constitutionEvents } from './constitution.events';
export { constitutions } from './constitution-list/constitutions.projection';
export { ConstitutionModule } from './constitution.module';
