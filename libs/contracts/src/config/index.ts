export * from './duration';
export * from './model-script';
export * from './policy-cases';
export * from './writ-config';
export * from './writ-tools';
